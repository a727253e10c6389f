"""Who plays whom, where and in what order.

Imports games. Pure. Begin with `order`.
"""
