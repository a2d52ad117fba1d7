//! The two pipes: events out, commands in.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, Write};
use std::sync::{atomic, mpsc, Condvar, Mutex};

use serde_json::Value;

use crate::events::SteerCommand;
use crate::{Error, Result};

pub(crate) struct Wire {
    /// What the agent declared, with the current options.
    pub(crate) info: Mutex<Value>,
    /// The session command, with the state that was saved last.
    pub(crate) session: Mutex<Value>,
    /// Notified when the session has a type: that of the command, or that of EOF.
    pub(crate) opened: Condvar,
    /// The user's messages during turns that no handler has read.
    pub(crate) steers: Mutex<Vec<SteerCommand>>,
    events: Mutex<File>,
    waiting: Mutex<HashMap<String, mpsc::Sender<Value>>>,
    ids: atomic::AtomicU64,
}

impl Wire {
    pub(crate) fn new(info: Value) -> std::io::Result<Self> {
        Ok(Wire {
            info: info.into(),
            session: Mutex::default(),
            opened: Default::default(),
            steers: Mutex::default(),
            events: own_stdout()?.into(),
            waiting: Mutex::default(),
            ids: 1.into(),
        })
    }

    pub(crate) fn new_id(&self, kind: &str) -> String {
        format!("{kind}-{}", self.ids.fetch_add(1, atomic::Ordering::Relaxed))
    }

    /// Writes an event as one line, immediately. If `allowed` returns an error, writes nothing.
    pub(crate) fn write(&self, event: &Value, allowed: impl FnOnce() -> Result) -> Result {
        let mut events = self.events.lock().unwrap();
        allowed()?;
        // If nobody reads the output any more, there is nothing left to do.
        events.write_all(format!("{event}\n").as_bytes()).map_err(|_| Error::Cancelled)
    }

    /// Returns an id for a request, and the receiver of its response.
    pub(crate) fn expect(&self, kind: &str) -> (String, mpsc::Receiver<Value>) {
        let (id, (sender, receiver)) = (self.new_id(kind), mpsc::channel());
        self.waiting.lock().unwrap().insert(id.clone(), sender);
        (id, receiver)
    }

    /// Tells all pending requests that no response will come.
    pub(crate) fn withdraw(&self) {
        self.waiting.lock().unwrap().clear();
    }

    /// Reads commands until EOF. Passes those that aren't responses to `other`.
    pub(crate) fn read(&self, mut other: impl FnMut(Value)) {
        for line in std::io::stdin().lock().split(b'\n').map_while(std::result::Result::ok) {
            let Ok(command) = serde_json::from_slice::<Value>(&line) else {
                eprintln!("turnwire: not a command: {}", String::from_utf8_lossy(&line));
                continue;
            };
            let id = ["questionId", "requestId", "confirmationId", "toolCallId"].iter().find_map(|&key| command[key].as_str());
            match id.and_then(|id| self.waiting.lock().unwrap().remove(id)) {
                Some(sender) => drop(sender.send(command)), // its turn may have ended
                None => other(command),
            }
        }
        self.session.lock().unwrap()["type"] = "eof".into();
        self.opened.notify_all();
    }
}

/// Reserves stdout for events. On Unix, everything else printed there goes to stderr.
fn own_stdout() -> std::io::Result<File> {
    #[cfg(windows)]
    let events = std::os::windows::io::AsHandle::as_handle(&std::io::stdout()).try_clone_to_owned()?;
    #[cfg(unix)]
    let events = std::os::fd::AsFd::as_fd(&std::io::stdout()).try_clone_to_owned()?;
    #[cfg(unix)]
    {
        extern "C" {
            fn dup2(old: i32, new: i32) -> i32;
        }
        // SAFETY: both arguments of dup2 are open descriptors, and it touches no memory.
        assert!(unsafe { dup2(2, 1) } >= 0, "stderr is open");
    }
    Ok(File::from(events))
}
