/** The local emulator cannot be had on this machine; the message says what is missing and what to do about it. */
export class EmulatorUnavailable extends Error {
  override readonly name = 'EmulatorUnavailable';
}
