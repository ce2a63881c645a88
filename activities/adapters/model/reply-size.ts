import { ThermidorFailure } from '../../../plan/run/failure';

/** The limit of everything that one reply says, in characters. No model writes that much, but a broken server can. */
export const REPLY_CHARACTERS = 4 * 1024 * 1024;

/** Adds up the size of a reply. Fails with `output.too-large` beyond `REPLY_CHARACTERS`. */
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
