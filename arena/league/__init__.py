"""The league's folder: bots on disk, found, read, hashed, copied.

`bots` finds them by names, paths and globs; `files` reads, hashes and copies one, `revisions` reads
it as it was in another git revision. `entries` reads the bots of a config once.

Imports system and games. Begin with `bots`.
"""
