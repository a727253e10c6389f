# async.
# fault: illegal
# remedy: remove async

async def decide(view):
    return view.legal[0]
