"""Job objects of Windows: processes that end when nobody holds the job any more, and that have bounds in common.

A job is what a process group, a limit of resources and a death signal are together on other systems. Whatever a process
of a job starts belongs to the job too. pywin32, which calls the system, is there on Windows only.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

PREFIX = "Local\\latcover-"  # visible to the processes of one user's session


def _modules() -> tuple[Any, Any, Any]:
    return import_module("win32job"), import_module("win32api"), import_module("win32con")


def _fresh_name() -> str:
    from secrets import token_hex  # other systems need neither it nor what it imports

    return PREFIX + token_hex(16)


class Job:
    """A job that ends its processes when the last handle to it is closed, as the system does when its maker dies.

    Attributes:
        name: By which other processes find it.
    """

    def __init__(self) -> None:
        jobs, _, _ = _modules()
        self.name = _fresh_name()
        self._handle = jobs.CreateJobObject(None, self.name)
        _set(self._handle, jobs.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)

    def add(self, pid: int) -> None:
        """Let process *pid* belong to it. A process that has ended does no harm."""
        jobs, api, constants = _modules()
        try:
            process = api.OpenProcess(constants.PROCESS_SET_QUOTA | constants.PROCESS_TERMINATE, False, pid)
            jobs.AssignProcessToJobObject(self._handle, process)
        except api.error:  # it has ended
            return

    def end(self) -> None:
        """End its processes; harmless when done again."""
        jobs, _, _ = _modules()
        handle, self._handle = self._handle, None
        if handle is not None:
            jobs.TerminateJobObject(handle, 1)
            handle.Close()


def enter(name: str) -> bool:
    """Let this process belong to a job; False if the job is gone, since its maker is."""
    jobs, api, _ = _modules()
    try:
        handle = jobs.OpenJobObject(jobs.JOB_OBJECT_ASSIGN_PROCESS, False, name)
    except api.error:
        return False
    jobs.AssignProcessToJobObject(handle, api.GetCurrentProcess())
    handle.Close()  # only the maker may hold the job
    return True


def limit_memory(most: int) -> None:
    """Limit what this process, and each that it starts, may take, in bytes, until it ends."""
    jobs, api, _ = _modules()
    handle = jobs.CreateJobObject(None, _fresh_name())
    _set(handle, jobs.JOB_OBJECT_LIMIT_PROCESS_MEMORY, ProcessMemoryLimit=most)
    jobs.AssignProcessToJobObject(handle, api.GetCurrentProcess())
    handle.Detach()  # it stays open


def _set(handle: Any, flag: int, **bounds: int) -> None:
    jobs, _, _ = _modules()
    settings = jobs.QueryInformationJobObject(handle, jobs.JobObjectExtendedLimitInformation)
    settings["BasicLimitInformation"]["LimitFlags"] |= flag
    settings.update(bounds)
    jobs.SetInformationJobObject(handle, jobs.JobObjectExtendedLimitInformation, settings)
