from enum import Enum


class PermissionMode(Enum):
    READ_ONLY = "read-only"
    WORKSPACE_WRITE = "workspace-write"
    FULL_ACCESS = "full-access"
    PLAN = "plan"


class PermissionEngine:
    active_mode = PermissionMode.WORKSPACE_WRITE
