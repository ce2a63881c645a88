import { ASK_AGAIN } from './contract';
import { STILL_OPENING } from './status';
import { NEEDS_NEWER } from './worker-version';

const LEFT = new RegExp(`^the (?:run|queue) ${NEEDS_NEWER} `);
const KEY_MISSING =
  /[a-z' ]+ is sealed with (?:the key "[\w-]{1,64}", which encryption\.keys does not have|another key than the "[\w-]{1,64}" of encryption\.keys)/;

/** Whether a message says that a key is missing, and which. */
export function saysKeyMissing(message: string): boolean {
  return KEY_MISSING.test(message);
}

/**
 * Whether a failure's message stays readable where failures are sealed: by these, clients and workers agree on what to do next, some before
 * they can open anything. None says what a run works with.
 */
export function isOpenMessage(message: string): boolean {
  return message === ASK_AGAIN || message.includes(STILL_OPENING) || LEFT.test(message) || KEY_MISSING.exec(message)?.[0] === message;
}
