note = None


def gate_note():
    return note
