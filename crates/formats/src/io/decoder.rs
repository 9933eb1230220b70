//! One decoder for each compression, and the meaning of its errors.

use std::io::{self, BufRead, Read};

use super::{Compression, InputLimits};

/// Any decoder.
pub(super) type Decoder = Box<dyn Read + Send>;

/// Unpacks a stream. A zip archive is not one: see [`super::archive`].
pub(super) fn decoder(
    compression: Compression,
    packed: impl BufRead + Send + 'static,
    limits: &InputLimits,
) -> io::Result<Decoder> {
    Ok(match compression {
        Compression::None | Compression::Zip => Box::new(packed),
        Compression::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(packed)?;
            decoder.window_log_max(window_log(limits.max_memory))?;
            Box::new(decoder)
        }
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
        Compression::Xz => {
            let stream = liblzma::stream::Stream::new_stream_decoder(
                limits.max_memory,
                liblzma::stream::CONCATENATED,
            )?;
            Box::new(liblzma::bufread::XzDecoder::new_stream(packed, stream))
        }
    })
}

/// The logarithm of the largest window that fits, within what zstd takes: 1 KiB to 2 GiB, half of
/// it on 32 bits.
fn window_log(memory: u64) -> u32 {
    let most = if usize::BITS == 32 { 30 } else { 31 };
    memory.max(1).ilog2().clamp(10, most)
}

/// Whether a decoder gave up because the file asks for more memory than we allow.
pub(super) fn is_memory_limit(error: &io::Error) -> bool {
    let Some(cause) = error.get_ref() else {
        return false;
    };
    match cause.downcast_ref::<liblzma::stream::Error>() {
        Some(error) => *error == liblzma::stream::Error::MemLimit,
        // Zstd's error has no type, only this name (`ZSTD_error_frameParameter_windowTooLarge`).
        None => cause.to_string().contains("too much memory"),
    }
}
