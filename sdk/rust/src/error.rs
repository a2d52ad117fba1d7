/// Why a handler stops before its end.
#[derive(Debug)]
pub enum Error {
    /// The user has stopped the turn. Let it pass with `?`.
    Cancelled,
    /// What went wrong, for the user.
    Failed(String),
}

pub type Result<T = ()> = std::result::Result<T, Error>;

/// Every error of a program is one that a handler may return with `?`.
impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Error::Failed(error.to_string())
    }
}
