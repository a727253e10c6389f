"""Arena's own use of the machine: signals, processes, files written whole.

`abilities` says which system this is; `signals` stops in order; `parallel` shares work among
processes; `folders` moves finished drafts into place; `locks` locks and tries folders; `machine`
says what is here, and how much of it is ours.

Imports `sandbox.walls.die_with` and games. Begin with `signals`.
"""
