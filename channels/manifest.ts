/**
 * What every room may know of a chat: plain data, also for workflow code. A chat has one name, which is its folder, its key under
 * `channels.NAME` (the address of its incoming webhook) and `people.NAME` (the user id that it proves), and the listener's path.
 */
export interface ChatManifest {
  /** As people read it. */
  title: string;
  /** The largest report that goes with a message as a file. Absent: a report is text within the message. */
  fileMiB?: number;
  /** What the listener checks the chat's requests with. */
  proof: {
    /** Its key under `callbacks:`. */
    key: string;
    /** A public key of so many hexadecimal digits. Absent: a secret, which settings only refer to. */
    hexDigits?: number;
  };
}
