# A first import inside decide.
# fault: error
# remedy: move the import to the top of the file


def decide(view):
    import colorsys

    return view.legal[int(colorsys.rgb_to_hsv(0, 0, 0)[0])]
