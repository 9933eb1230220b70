//! What cannot be seen from outside: limits, and lists that are not what they should be.
