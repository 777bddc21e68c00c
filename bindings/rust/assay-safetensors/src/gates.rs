//! The gate before the official crate: judge first, then return the crate's own types.

macro_rules! gate {
    ($(#[$doc:meta])* $gate:ident, $reference:ident) => {
        $(#[$doc])*
        ///
        /// The buffer is read twice, by assay and then by the crate. If it is a mapped file that others can write, they
        /// can exchange its header in between: read the file, or map a private copy.
        pub mod $gate {
            use core::fmt;
            use $reference::tensor::{Metadata, SafeTensorError, SafeTensors};

            /// Why the gate returns no tensors.
            #[derive(Debug)]
            #[non_exhaustive]
            pub enum Error {
                /// assay has not accepted the file.
                Refused(crate::Error),
                /// assay has accepted the file, but this version of the crate does not: it is older than a dtype, or
                /// the numbers are too large for this machine.
                Reference(SafeTensorError),
            }

            impl fmt::Display for Error {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    match self {
                        Error::Refused(error) => error.fmt(f),
                        Error::Reference(error) => write!(f, "valid, but safetensors does not load it: {error}"),
                    }
                }
            }

            impl core::error::Error for Error {
                fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
                    match self {
                        Error::Refused(error) => core::error::Error::source(error),
                        Error::Reference(error) => Some(error),
                    }
                }
            }

            /// `SafeTensorError::IoError`, of kind `InvalidData`, with this error as its inner one.
            #[cfg(feature = "std")]
            impl From<Error> for SafeTensorError {
                fn from(error: Error) -> SafeTensorError {
                    match error {
                        Error::Reference(error) => error,
                        refused => {
                            let kind = std::io::ErrorKind::InvalidData;
                            SafeTensorError::IoError(std::io::Error::new(kind, refused))
                        }
                    }
                }
            }

            fn judge(buffer: &[u8]) -> Result<(), Error> {
                crate::judge(buffer, buffer.len() as u64, &crate::Limits::NONE).map_err(Error::Refused)
            }

            /// Judge a file in memory, and return the crate's `SafeTensors`.
            ///
            /// # Errors
            ///
            /// [`Error::Refused`] by assay, [`Error::Reference`] by the crate.
            pub fn deserialize(buffer: &[u8]) -> Result<SafeTensors<'_>, Error> {
                judge(buffer)?;
                SafeTensors::deserialize(buffer).map_err(Error::Reference)
            }

            /// Judge a file in memory, and return the header's length and the crate's `Metadata`.
            ///
            /// # Errors
            ///
            /// Those of [`deserialize`].
            pub fn read_metadata(buffer: &[u8]) -> Result<(usize, Metadata), Error> {
                judge(buffer)?;
                SafeTensors::read_metadata(buffer).map_err(Error::Reference)
            }

            /// [`deserialize`] and [`read_metadata`] with the crate's error type, to take the place of the functions of
            /// `SafeTensors` where callers expect that. A refusal is a `SafeTensorError::IoError`.
            #[cfg(feature = "std")]
            #[derive(Debug)]
            pub enum Safe {}

            #[cfg(feature = "std")]
            impl Safe {
                /// Judge a file in memory, and return the crate's `SafeTensors`.
                ///
                /// # Errors
                ///
                /// The crate's, or `SafeTensorError::IoError` with [`Error`] as its inner error.
                pub fn deserialize(buffer: &[u8]) -> Result<SafeTensors<'_>, SafeTensorError> {
                    Ok(deserialize(buffer)?)
                }

                /// Judge a file in memory, and return the header's length and the crate's `Metadata`.
                ///
                /// # Errors
                ///
                /// Those of [`Safe::deserialize`].
                pub fn read_metadata(buffer: &[u8]) -> Result<(usize, Metadata), SafeTensorError> {
                    Ok(read_metadata(buffer)?)
                }
            }
        }
    };
}

#[cfg(feature = "safetensors")]
gate! {
    /// The gate before version 0.8 of the crate `safetensors`.
    gate, safetensors
}

#[cfg(feature = "safetensors07")]
gate! {
    /// The gate before version 0.7 of the crate `safetensors`.
    gate07, safetensors07
}

#[cfg(all(feature = "safetensors", feature = "std"))]
pub use gate::Safe;
