# It waits for the keyboard.
# fault: error
# remedy: input()

def decide(view):
    print(view.legal)
    return input("your move: ")
