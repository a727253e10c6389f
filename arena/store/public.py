"""A copy of a store for everybody: all games, without the secret, logs and unasked-for sources."""

from pathlib import Path

from arena.store import schema
from arena.store.store import Store


def public(store: Store, path: Path, with_sources: bool) -> Path:
    """Write the public store; return its path."""
    draft = path.with_name(f".{path.name}.draft")
    draft.unlink(missing_ok=True)
    connection = schema.connect(draft, "rwc")
    try:
        schema.create(connection)
        connection.execute("ATTACH ? AS kept", (f"{store.path.absolute().as_uri()}?mode=ro",))
        source = "source" if with_sources else "x''"
        with connection:
            for statement in (
                "meta SELECT key, value FROM kept.meta WHERE key NOT IN ('secret', 'public')",
                "meta VALUES ('public', 1)",
                f"bot SELECT id, name, hash, {source} FROM kept.bot ORDER BY id",
                "pool SELECT id, game, players, options, partners FROM kept.pool ORDER BY id",
                "line_up SELECT id, pool, bots, unplayed FROM kept.line_up ORDER BY id",
                "game SELECT id, line_up, seating, deal, ranks, scores, record, checksum "
                "FROM kept.game ORDER BY id",
                "fault SELECT game, seat, bot, kind, at, '' FROM kept.fault",
                "timing SELECT id, pool, bot, decisions, cpu_s, versions, '[]', '', worst_s "
                "FROM kept.timing ORDER BY id",
            ):
                connection.execute(f"INSERT INTO {statement}")
        connection.execute("DETACH kept")
        connection.execute("PRAGMA journal_mode = DELETE")  # one file, also to be read from a disc
        connection.close()
        draft.replace(path)
    finally:
        connection.close()
        draft.unlink(missing_ok=True)
    return path
