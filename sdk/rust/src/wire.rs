//! The two pipes: events out, commands in.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, Write};
use std::sync::{atomic, mpsc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::Value;

use crate::{Error, Result};

pub(crate) struct Wire {
    events: Mutex<File>,
    waiting: Mutex<HashMap<String, mpsc::Sender<Value>>>,
    ids: atomic::AtomicU64,
}

/// A lock that a panic of a handler has not made useless.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wire {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Wire { events: Mutex::new(own_stdout()?), waiting: Mutex::default(), ids: atomic::AtomicU64::new(0) })
    }

    pub(crate) fn new_id(&self, kind: &str) -> String {
        format!("{kind}-{}", self.ids.fetch_add(1, atomic::Ordering::Relaxed) + 1)
    }

    /// Writes an event as one line, at once. What `allowed` returns keeps it back.
    pub(crate) fn write(&self, event: &impl Serialize, allowed: impl FnOnce() -> Result) -> Result {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        let mut events = lock(&self.events);
        allowed()?;
        // Where nobody reads any more, there is nothing left to do.
        events.write_all(&line).map_err(|_| Error::Cancelled)
    }

    /// Returns what will give the command of this type that has this id.
    pub(crate) fn expect(&self, kind: &str, id: &str) -> mpsc::Receiver<Value> {
        let (sender, receiver) = mpsc::channel();
        lock(&self.waiting).insert(format!("{kind} {id}"), sender);
        receiver
    }

    /// Tells everyone who waits that no answer will come.
    pub(crate) fn withdraw(&self) {
        lock(&self.waiting).clear();
    }

    /// Reads commands up to the end. Those that are no answers go to `other`.
    pub(crate) fn read(&self, mut other: impl FnMut(Value)) {
        for line in std::io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { return };
            let Ok(command) = serde_json::from_slice::<Value>(&line) else {
                eprintln!("turnwire: not a command: {}", String::from_utf8_lossy(&line));
                continue;
            };
            let kind = command["type"].as_str().unwrap_or_default();
            let id = match kind {
                "question_response" => "questionId",
                "editor_response" => "requestId",
                "tool_confirmation_response" => "confirmationId",
                _ => {
                    other(command);
                    continue;
                }
            };
            let key = format!("{kind} {}", command[id].as_str().unwrap_or_default());
            if let Some(sender) = lock(&self.waiting).remove(&key) {
                let _ = sender.send(command); // its turn may have ended
            }
        }
    }
}

/// Takes stdout for events alone. What else prints there goes to stderr.
#[cfg(unix)]
fn own_stdout() -> std::io::Result<File> {
    use std::os::fd::AsFd;
    extern "C" {
        fn dup2(old: i32, new: i32) -> i32;
    }
    let events = std::io::stdout().as_fd().try_clone_to_owned()?;
    // SAFETY: dup2 is given two open descriptors, and touches no memory.
    if unsafe { dup2(2, 1) } < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(File::from(events))
}

#[cfg(windows)]
fn own_stdout() -> std::io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(std::io::stdout().as_handle().try_clone_to_owned()?))
}
