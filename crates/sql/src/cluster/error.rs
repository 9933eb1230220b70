//! What goes wrong between machines.

use std::{io, net::SocketAddr, time::Duration};

use ballista_core::error::BallistaError;
use datafusion::error::DataFusionError;

use crate::{ErrorKind, lake};

/// Why there is no cluster to ask, or none to be part of.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An address that is none.
    #[error("{address:?} is no address of a scheduler: expected HOST or HOST:PORT")]
    Address {
        /// As it was given.
        address: String,
    },
    /// Nobody answers.
    #[error(
        "no scheduler answers at {address} within {} s: {why}; `tabiya-scheduler` starts one",
        patience.as_secs_f32()
    )]
    NoScheduler {
        /// Where it should be.
        address: String,
        /// How long was waited.
        patience: Duration,
        /// What happened instead.
        why: String,
    },
    /// Somebody answers, but not as a scheduler does.
    #[error("{address} is no scheduler of a cluster: {why}")]
    NotAScheduler {
        /// Who was asked.
        address: String,
        /// What they said.
        why: String,
    },
    /// An executor is not wanted any more.
    #[error(
        "the scheduler at {scheduler} has taken this executor for lost, or does not answer: start it again"
    )]
    SentAway {
        /// Who said so.
        scheduler: String,
    },
    /// A scheduler no longer gives out work.
    #[error("the scheduler has broken down, as its log tells: start it again")]
    Broken,
    /// Others could not call back.
    #[error("others cannot call {bind}: say by which name they reach this machine (--advertise)")]
    NoName {
        /// The address that stands for all of this machine's.
        bind: std::net::IpAddr,
    },
    /// Somebody else listens there, or nobody may.
    #[error("{address}: {source}")]
    Bind {
        /// Where to listen.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// A folder for what is between two parts of a job.
    #[error("{folder}: {source}")]
    WorkFolder {
        /// Which one.
        folder: String,
        /// What the system says.
        source: io::Error,
    },
    /// The data.
    #[error(transparent)]
    Data(#[from] Box<crate::Error>),
    /// Ballista's own.
    #[error(transparent)]
    Ballista(#[from] Box<BallistaError>),
    /// DataFusion's own.
    #[error(transparent)]
    DataFusion(#[from] Box<DataFusionError>),
    /// The network.
    #[error(transparent)]
    Network(#[from] tonic::transport::Error),
}

impl From<BallistaError> for Error {
    fn from(error: BallistaError) -> Error {
        Error::Ballista(Box::new(error))
    }
}

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Error {
        Error::DataFusion(Box::new(error))
    }
}

impl From<lake::Error> for Error {
    fn from(error: lake::Error) -> Error {
        Error::Data(Box::new(error.into()))
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Error {
        Error::Data(Box::new(error))
    }
}

impl From<Error> for crate::Error {
    fn from(error: Error) -> crate::Error {
        let kind = match error {
            Error::Data(error) => return *error,
            Error::DataFusion(error) => return (*error).into(),
            Error::Address { .. } | Error::NoName { .. } => ErrorKind::Meaning,
            Error::Ballista(_) => ErrorKind::Execution,
            Error::Broken => ErrorKind::Internal,
            Error::NoScheduler { .. }
            | Error::NotAScheduler { .. }
            | Error::SentAway { .. }
            | Error::Bind { .. }
            | Error::WorkFolder { .. }
            | Error::Network(_) => ErrorKind::Io,
        };
        crate::Error::new(kind, error.to_string())
    }
}
