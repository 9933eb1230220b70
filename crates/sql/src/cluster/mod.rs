//! The same questions on many machines, by Ballista.
