"""Who plays whom, where and in what order.

Imports the words alone. Pure. Begin with `order`.
"""
