import threading


class AgentCancelledError(Exception):
    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


class CancellationToken:
    def __init__(self):
        self.event = threading.Event()
        self.reason = ""

    def cancel(self, reason="user-cancel"):
        if not self.event.is_set():
            self.reason = reason
            self.event.set()

    @property
    def is_cancelled(self):
        return self.event.is_set()

    def check(self):
        if self.event.is_set():
            raise AgentCancelledError(self.reason)
