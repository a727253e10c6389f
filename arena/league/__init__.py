"""The league's folder: bots on disk, found, read, hashed, copied.

Imports system. Begin with `bots`.
"""
