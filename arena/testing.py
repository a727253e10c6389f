"""Parts of a bot's tests: a view, made up or recorded, a question to the bot, a game.

    from arena.testing import at, decide, view_of

    def test_it_takes_what_costs_nothing():
        view = view_of("no_thanks", card=10, pot=9)
        assert decide("bots/thrifty.py", view) == "take"

`view_of` makes a view of some of its fields, `at` one of a record, and `decide` asks: behind the
walls, or, with `confined=False`, a bot of your own where a debugger reaches it. Under pytest
`view_of`, `view_at` and `ask` are fixtures too, of the plugin `arena.author.pytest_plugin`.

`replay_game` asks all that a seat was asked in a recorded game: the tests that `arena faults
--as-test` writes call it. `play` and `duel` play whole games; what is given by path or name, but no
house bot, is behind the walls there, too.
"""

from arena.author.decide import decide as decide
from arena.author.decide import replay_game as replay_game
from arena.author.in_process import Duel as Duel
from arena.author.in_process import PlayedGame as PlayedGame
from arena.author.in_process import duel as duel
from arena.author.in_process import play as play
from arena.author.players import NoDecision as NoDecision
from arena.author.views import at as at
from arena.author.views import view_of as view_of
from arena.errors import UsageError as UsageError
