//! The password of a `.cbz`: the whole archive under DES, every eight bytes by themselves.
//!
//! DES has been broken for decades, and eight bytes that are alike stay alike. A password keeps
//! an archive from being opened by accident; it keeps no secret.

use std::io::{self, Write};

use des::{
    Des,
    cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit},
};
use encoding_rs::WINDOWS_1252;

use super::ArchiveErrorKind;

/// DES works on eight bytes at a time.
pub(super) const UNIT: usize = 8;

/// How much is encrypted at once.
const BUFFER: usize = 64 << 10;

/// What a password makes of bytes, and back.
#[derive(Clone)]
pub(super) struct Cipher(Des);

impl Cipher {
    pub fn new(password: &str) -> Result<Cipher, ArchiveErrorKind> {
        let (bytes, _, unmappable) = WINDOWS_1252.encode(password);
        if bytes.is_empty() || unmappable {
            return Err(ArchiveErrorKind::BadPassword);
        }
        Ok(Cipher(Des::new(&Array(key(&bytes)))))
    }

    /// Decrypts whole units; what is left over stays as it is.
    pub fn decrypt(&self, bytes: &mut [u8]) {
        for unit in bytes.as_chunks_mut::<UNIT>().0 {
            self.0.decrypt_block(unit.into());
        }
    }

    fn encrypt(&self, bytes: &mut [u8]) {
        for unit in bytes.as_chunks_mut::<UNIT>().0 {
            self.0.encrypt_block(unit.into());
        }
    }
}

/// Short passwords are repeated; what is too long is folded back over the beginning.
fn key(password: &[u8]) -> [u8; UNIT] {
    let mut key = std::array::from_fn(|at| password[at % password.len()]);
    for (at, &byte) in password.iter().enumerate().skip(UNIT) {
        let folded = &mut key[at % UNIT];
        *folded = folded.wrapping_mul(2) ^ byte;
    }
    key
}

/// Encrypts on the way to another writer.
pub(super) struct Encrypting<W> {
    out: W,
    cipher: Cipher,
    waiting: Vec<u8>,
}

impl<W: Write> Encrypting<W> {
    pub fn new(out: W, cipher: Cipher) -> Encrypting<W> {
        Encrypting {
            out,
            cipher,
            waiting: Vec::with_capacity(BUFFER),
        }
    }

    /// Fills the last unit with zeros and writes it.
    pub fn finish(mut self) -> io::Result<()> {
        self.waiting
            .resize(self.waiting.len().next_multiple_of(UNIT), 0);
        self.send()
    }

    fn send(&mut self) -> io::Result<()> {
        self.cipher.encrypt(&mut self.waiting);
        self.out.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}

impl<W: Write> Write for Encrypting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(BUFFER - self.waiting.len());
        self.waiting.extend_from_slice(&bytes[..taken]);
        if self.waiting.len() == BUFFER {
            self.send()?;
        }
        Ok(taken)
    }

    /// Only whole units could be written, and not before they are complete.
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_passwords_are_repeated_and_long_ones_folded() {
        assert_eq!(&key(b"abc"), b"abcabcab");
        assert_eq!(&key(b"12345678"), b"12345678");
        let folded = [
            b'1'.wrapping_mul(2) ^ b'9',
            b'2',
            b'3',
            b'4',
            b'5',
            b'6',
            b'7',
            b'8',
        ];
        assert_eq!(key(b"123456789"), folded);
    }

    #[test]
    fn the_worked_example_of_the_standard_comes_out() {
        // DES as published: key 133457799BBCDFF1 makes 85E813540F0AB405 of 0123456789ABCDEF.
        let key = 0x1334_5779_9BBC_DFF1_u64.to_be_bytes();
        let cipher = Cipher(Des::new(&Array(key)));
        let mut unit = 0x0123_4567_89AB_CDEF_u64.to_be_bytes();
        cipher.encrypt(&mut unit);
        assert_eq!(u64::from_be_bytes(unit), 0x85E8_1354_0F0A_B405);
        cipher.decrypt(&mut unit);
        assert_eq!(u64::from_be_bytes(unit), 0x0123_4567_89AB_CDEF);
    }

    #[test]
    fn passwords_must_have_something_that_chessbase_could_type() {
        assert!(Cipher::new("Schloß").is_ok());
        for password in ["", "шахматы"] {
            let refused = Cipher::new(password).err();
            assert!(matches!(refused, Some(ArchiveErrorKind::BadPassword)));
        }
    }
}
