//! One decoder for each compression, and the meaning of its errors.

use std::io::{self, BufRead};

use super::{Compression, InputLimits};

/// Any decoder.
pub(super) type Decoder = Box<dyn io::Read + Send>;

/// Unpacks a stream. A zip archive is not one: see [`super::archive`].
pub(super) fn decoder(
    compression: Compression,
    packed: impl BufRead + Send + 'static,
    limits: &InputLimits,
) -> io::Result<Decoder> {
    // Not all decoders have limits.
    let _ = limits;
    Ok(match compression {
        Compression::None | Compression::Zip => Box::new(packed),
        #[cfg(feature = "zstd")]
        Compression::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(packed)?;
            decoder.window_log_max(window_log(limits.max_memory))?;
            Box::new(decoder)
        }
        #[cfg(feature = "gzip")]
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
        #[cfg(feature = "bzip2")]
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
        #[cfg(feature = "xz")]
        Compression::Xz => {
            let stream = liblzma::stream::Stream::new_stream_decoder(
                limits.max_memory,
                liblzma::stream::CONCATENATED,
            )?;
            Box::new(liblzma::bufread::XzDecoder::new_stream(packed, stream))
        }
        #[cfg(not(all(feature = "bzip2", feature = "gzip", feature = "xz", feature = "zstd")))]
        compression => return Err(not_built(compression)),
    })
}

/// This build leaves a compression out.
#[cfg(not(all(
    feature = "bzip2",
    feature = "gzip",
    feature = "xz",
    feature = "zip",
    feature = "zstd"
)))]
pub(super) fn not_built(compression: Compression) -> io::Error {
    let message = format!("it is packed by {compression}, which this build leaves out");
    io::Error::new(io::ErrorKind::Unsupported, message)
}

/// The logarithm of the largest window that fits, within what zstd takes: 1 KiB to 2 GiB, half of
/// it on 32 bits.
#[cfg(feature = "zstd")]
fn window_log(memory: u64) -> u32 {
    let most = if usize::BITS == 32 { 30 } else { 31 };
    memory.max(1).ilog2().clamp(10, most)
}

/// Whether a decoder gave up because the file asks for more memory than we allow.
pub(super) fn is_memory_limit(error: &io::Error) -> bool {
    let Some(cause) = error.get_ref() else {
        return false;
    };
    #[cfg(feature = "xz")]
    if let Some(error) = cause.downcast_ref::<liblzma::stream::Error>() {
        return *error == liblzma::stream::Error::MemLimit;
    }
    // Zstd's error has no type, only this name (`ZSTD_error_frameParameter_windowTooLarge`).
    cause.to_string().contains("too much memory")
}
