# decide_many with a single word.
# fault: error
# remedy: a list

def decide_many(views, rngs):
    return views[0].legal[0]
