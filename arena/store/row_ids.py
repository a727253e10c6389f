"""The row ids by which the store's tables refer to each other, each looked up once."""

import sqlite3

from arena.model import Bot, LineUp, Pool

LINE_UPS = 1 << 14  # remembered: a large league has more than memory should hold

_LINE_UP = ("pool", "bots")  # columns


class Keys:
    """Row ids of the pools, bots and line-ups in one file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._bots: dict[Bot, int] = {}
        self._pools: dict[Pool, int] = {}
        self._line_ups: dict[tuple[int, LineUp], int] = {}

    def forget(self) -> None:
        """Look everything up again from here on: rows that were made may be gone."""
        for known in (self._bots, self._pools, self._line_ups):
            known.clear()

    def pool(self, pool: Pool) -> int:
        """The pool's row; -1 if there is none."""
        if pool not in self._pools:
            row = self._find("pool", Pool._fields, pool)
            if row is None:
                return -1
            self._pools[pool] = row
        return self._pools[pool]

    def made_pool(self, pool: Pool) -> int:
        """The pool's row, which is made if it is missing."""
        if self.pool(pool) < 0:
            self._pools[pool] = self._made("pool", Pool._fields, pool)
        return self._pools[pool]

    def bot(self, bot: Bot) -> int:
        """The row of a bot that is stored."""
        row = self._bots.get(bot)
        if row is None:
            row = self._find("bot", Bot._fields, bot)
            assert row is not None, "bots are kept before their games"
            self._bots[bot] = row
        return row

    def made_line_up(self, pool: int, line_up: LineUp) -> int:
        """The row of a line-up in a pool's row, which is made if it is missing."""
        key = (pool, line_up)
        row = self._line_ups.get(key)
        if row is None:
            values = (pool, str([self.bot(bot) for bot in line_up]))  # as json.dumps has it
            made = self._db.execute(
                "INSERT OR IGNORE INTO line_up (pool, bots) VALUES (?, ?)", values
            )
            row = made.lastrowid if made.rowcount else self._find("line_up", _LINE_UP, values)
            assert row is not None, "it is there, for it was not made"
            if len(self._line_ups) == LINE_UPS:
                self._line_ups.clear()
            self._line_ups[key] = row
        return row

    def _find(self, table: str, columns: tuple[str, ...], values: tuple[object, ...]) -> int | None:
        where = " AND ".join(f"{column} = ?" for column in columns)
        row = self._db.execute(f"SELECT id FROM {table} WHERE {where}", values).fetchone()
        return None if row is None else int(row[0])

    def _made(self, table: str, columns: tuple[str, ...], values: tuple[object, ...]) -> int:
        marks = ", ".join("?" * len(columns))
        insert = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
        return int(self._db.execute(insert, values).lastrowid or 0)
