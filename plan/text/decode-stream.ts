import { utf16Of } from './decode-text';

/** A text from its bytes, as these come. */
export interface StreamDecoder {
  /** Decodes what is complete; a character that spans two pieces comes with the second. */
  write(chunk: Uint8Array): string;
  end(): string;
}

const MARK_BYTES = 4;

/**
 * Decodes UTF-8, keeping its mark, or the encoding that a byte order mark names; bytes that are not text become U+FFFD. Only the possible
 * beginning of a UTF-16 mark waits for more.
 */
export function streamDecoder(): StreamDecoder {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let waiting = new Uint8Array();

  function decode(bytes: Uint8Array): string {
    if (!decoder) {
      const encoding = utf16Of(bytes);
      decoder = new TextDecoder(encoding ?? 'utf-8', { ignoreBOM: encoding === undefined });
    }
    return decoder.decode(bytes, { stream: true });
  }

  return {
    write(chunk) {
      const bytes = new Uint8Array(waiting.byteLength + chunk.byteLength);
      bytes.set(waiting);
      bytes.set(chunk, waiting.byteLength);
      const isOpen = decoder === undefined && bytes.byteLength < MARK_BYTES && mayBeMark(bytes);
      waiting = isOpen ? bytes : new Uint8Array();
      return isOpen ? '' : decode(bytes);
    },
    end() {
      const text = decode(waiting);
      waiting = new Uint8Array();
      return text + (decoder?.decode() ?? '');
    },
  };
}

function mayBeMark([first]: Uint8Array): boolean {
  return first === undefined || first === 0xff || first === 0xfe;
}
