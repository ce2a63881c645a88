import { ThermidorFailure } from '../../../plan/run/failure';

/** Of all that one reply says, in characters. No model may say so much; a server that is broken can. */
export const REPLY_CHARACTERS = 4 * 1024 * 1024;

/** Adds up what a reply has come to. Fails with `output.too-large` beyond `REPLY_CHARACTERS`. */
export function replySize(): (more: number) => void {
  let size = 0;
  return (more) => {
    size += more;
    if (size <= REPLY_CHARACTERS) return;
    throw new ThermidorFailure('output.too-large', `a reply of the model has more than ${REPLY_CHARACTERS} characters`, {
      limitCharacters: REPLY_CHARACTERS,
    });
  };
}
