"""Weighs what a decision earns now against what it lets the next players do, in every game."""

from dataclasses import asdict
from math import exp, prod

from games import diciassette, no_thanks, sixteen
from games.diciassette import BACK, CALL, DOWN, NUMBER, PASS, TRAP, TRASH, UNKNOWN, UP, WINDOW

# No Thanks!: found by play against the other bots of this folder
SHARE, A_PLAYER_MORE = 0.5, 0.06  # of its cost that a card must bring in chips; than four
LATER = 0.2  # added to the share at the end, taken from it at the start
LOW_ON_CHIPS, A_CHIP_SHORT = 6.8, 0.8  # below so many, each is worth so much more
RIVALS_SHARE, MARGIN = 0.5, 2  # what a rival is thought to ask for, and how far off that is safe

# Sixteen: against a set
PACK = {wilds: "".join(sixteen.pack(sixteen.Options(wilds=wilds))) for wilds in (False, True)}
BUST = 1.5  # the next player's
KEEP_LOW = 0.008  # a point less in the hand: low cards are safe ones

# 17: against a victory
TARGET = 17
LIKELY, A_HIDDEN_CARD = 0.45, 0.05  # to call; more for each hidden card, which may be a trap
RASH, BELIEVED, STEEPNESS = 0.2, 0.45, 12.0  # when the others call: at times for no reason
PENALTY, TRAP_PAYS = 1.0, 0.8
WAITING, TRAP_WAITS, A_SECRET_POINT = 0.2, 0.5, 0.05  # worth of what nobody calls
A_SPECIAL, A_POINT = 0.1, 0.01  # specials are kept for full rows


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return the decision that promises most."""
    if isinstance(view, no_thanks.View):
        return take_or_pass(view)
    if isinstance(view, sixteen.View):
        return view.legal[0] if view.phase == sixteen.DRAW else card_for_pile(view)
    if isinstance(view, diciassette.View):
        return call_or_pass(view) if view.phase == WINDOW else card_for_row(view)
    return view.legal[0]


def take_or_pass(view: no_thanks.View) -> str:
    """Return "take" at a fair price, unless the card is sure to come round with more on it."""
    costs = [no_thanks.points((*t, view.card), 0) - no_thanks.points(t, 0) for t in view.taken]
    own = costs.pop(view.seat)
    share = SHARE + A_PLAYER_MORE * (view.players - 4) + LATER * (1 - view.cards_left / 12)
    if view.pot < own * share - A_CHIP_SHORT * max(0.0, LOW_ON_CHIPS - view.chips):
        return no_thanks.PASS
    pot_once_round = view.pot + view.players - 1
    if view.chips > 1 and min(costs) * RIVALS_SHARE > pot_once_round + MARGIN:
        return no_thanks.PASS
    return no_thanks.TAKE


def card_for_pile(view: sixteen.View) -> str:
    """Return a card that makes a set, else one that makes the next player bust, not finish."""
    pile = [card for card, _, _ in view.pile[-2:]] if view.options.match else []
    ways = {play: ways_to_a_set(pile, view.total, play[-2:]) for play in view.legal}
    best = max(view.legal, key=lambda play: (ways[play], sixteen.HELD[play] == play))
    if ways[best]:
        return best
    everything = PACK[view.options.wilds]
    piled = [sixteen.WILD if wild else card for card, _, wild in view.pile]
    seen = "".join([*view.hand, *view.gone, *piled])

    def left(mark: str) -> int:
        return everything.count(mark) - seen.count(mark)

    numbers = [left(number) for number in "0123456"]
    wilds = left(sixteen.WILD)
    unseen = sum(numbers) + wilds
    held = min(unseen, view.hands[(view.seat + 1) % view.players] + (view.deck > 0))

    def none_of(some: int) -> float:
        """Return how likely the next player holds none of so many unseen cards."""
        return prod(max(0, unseen - some - i) / (unseen - i) for i in range(held))

    def promise(play: str) -> float:
        colour, number = play[-2], play[-1]
        gap = sixteen.GOAL - view.total - int(number)
        if gap < 0:
            return KEEP_LOW * int(number) - 1
        finishing = numbers[gap] if gap < len(numbers) else 0
        same_colour, same_number = (mark in "".join(pile[-1:]) for mark in (colour, number))
        if same_colour:
            finishing += sum(left(f"{colour}{n}") for n in range(min(gap, len(numbers))))
        if same_number and int(number) < gap:
            finishing += numbers[int(number)]
        if same_colour or same_number or gap < len(numbers):
            finishing += wilds
        safe = sum(numbers[: gap + 1]) + wilds
        return KEEP_LOW * int(number) + BUST * none_of(safe) - (1 - none_of(finishing))

    return max([p for p in view.legal if sixteen.HELD[p] == p] or view.legal, key=promise)


def ways_to_a_set(pile: list[str], total: int, card: str) -> int:
    """Return in how many ways the card makes a set: by 16, by colour, by number."""
    total += int(card[1])
    if total > sixteen.GOAL:
        return 0
    if len(pile) < 2:
        return int(total == sixteen.GOAL)
    one, two = pile
    same_colour = one[0] == two[0] == card[0]
    same_number = one[1] == two[1] == card[1]
    return same_colour + same_number + (total == sixteen.GOAL)


def call_or_pass(view: diciassette.View) -> str:
    """Return "17" if it is likely by all that this seat knows."""
    known = sum(NUMBER.get(card, 0) for card, _, _ in view.row)
    hidden = sum(card == UNKNOWN for card, _, _ in view.row)
    if known + 5 * hidden < TARGET:
        return PASS
    likely = tail(sums(blanks(view), hidden)[hidden], TARGET - known)
    return CALL if likely > LIKELY + A_HIDDEN_CARD * hidden else PASS


def card_for_row(view: diciassette.View) -> str:
    """Return the card that is worth most, called or not, to who cannot see the hidden ones."""
    most = sum(card == UNKNOWN or secret(card, face) for card, face, _ in view.row) + 1
    chances = sums(blanks(view), most)

    def promise(play: str) -> float:
        card, face = play[:-2], play[-1]
        if (card, face) == (TRASH, UP):
            row = view.row[:-1]
        else:
            row = (*view.row, (card, face, view.seat))
        known = sum(NUMBER.get(c, 0) for c, _, _ in row)
        hidden = sum(c == UNKNOWN for c, _, _ in row)
        secrets = [NUMBER[c] for c, f, _ in row if secret(c, f)]
        trap = (TRAP, DOWN, view.seat) in row
        true = tail(chances[hidden], TARGET - known)
        seems = tail(chances[hidden + len(secrets)], TARGET - known + sum(secrets))
        called = RASH
        if seems:
            called += (1 - RASH) / (1 + exp(STEEPNESS * (BELIEVED - seems)))
        waiting = WAITING + TRAP_WAITS * trap + A_SECRET_POINT * sum(secrets)
        shown_up = 1 - true + (TRAP_PAYS * trap - PENALTY) * true
        keeps = A_POINT * NUMBER[card]
        if not NUMBER[card] and (card, face) != (TRAP, DOWN):
            keeps -= A_SPECIAL
        return called * shown_up + (1 - called) * waiting + keeps

    return max(view.legal, key=promise)


def secret(card: str, face: str) -> bool:
    """Return whether this seat knows a card that some others do not."""
    return face == DOWN and BACK.get(card) == 0


def blanks(view: diciassette.View) -> list[float]:
    """Return how likely an unseen blank-backed card is to be worth 0 to 5."""
    counts = [sum(asdict(view.options.specials).values()), 3, 3, 3, 3, 3]
    for card in (*view.hand, *(card for card, _, _ in view.row), *view.discard):
        if BACK.get(card) == 0:
            counts[NUMBER[card]] -= 1
    unseen = sum(counts) or 1
    return [count / unseen for count in counts]


def sums(one: list[float], most: int) -> list[list[float]]:
    """Return for none, one and up to `most` such cards how likely they sum to 0, 1, 2 and so on."""
    out = [[1.0]]
    for _ in range(most):
        longer = [0.0] * (len(out[-1]) + 5)
        for total, chance in enumerate(out[-1]):
            for number, share in enumerate(one):
                longer[total + number] += chance * share
        out.append(longer)
    return out


def tail(chances: list[float], missing: int) -> float:
    """Return how likely a sum is to come to what is missing."""
    return sum(chances[max(0, missing) :])
