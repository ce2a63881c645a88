import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../plan/text/json';
import type { Frame } from './dialect';
import type { Fault } from './served';

/** The frames of a reply, which are sent in order, with the fault that they should have. */
export interface FramesToSend {
  frames: Iterable<Frame>;
  fault: Fault | undefined;
  /** The time between two frames. */
  dripMs: number | undefined;
  errorFrame(error: Json): string;
  /** Called when a frame is sent that must be paid for. */
  onPaid(): void;
}

export async function sendFrames(response: ServerResponse, { frames, fault, dripMs, errorFrame, onPaid }: FramesToSend): Promise<void> {
  let [at, sentBytes] = [0, 0];
  for (const { text, paid } of frames) {
    if (response.destroyed) return;
    at++;
    if (fault && 'at' in fault && fault.at === at) {
      if (fault.kind === 'hang') return;
      if (fault.kind === 'end') return void response.end();
      if (fault.kind === 'error') return void response.end(errorFrame(fault.error));
      // The last frame is a comment. When it has been sent, all earlier frames have been sent.
      if (fault.kind === 'cut') return cutBehind(response, ':\n\n');
      response.write(brokenOff(text));
    }
    const bytes = Buffer.from(text);
    if (fault?.kind === 'cut-bytes' && sentBytes + bytes.byteLength > fault.atByte)
      return cutBehind(response, bytes.subarray(0, fault.atByte - sentBytes));
    if (paid) onPaid();
    sentBytes += bytes.byteLength;
    const flowing = response.write(fault?.kind === 'invalid-utf8' ? spoilt(bytes) : bytes);
    if (paid && fault?.kind === 'endless-line') return await sendEndlessLine(response);
    if (dripMs !== undefined) await sleep(dripMs);
    else if (!flowing) await drained(response);
  }
  response.end();
}

function cutBehind(response: ServerResponse, last: string | Buffer): void {
  response.write(last, () => response.destroy());
}

async function sendEndlessLine(response: ServerResponse): Promise<void> {
  response.write('data: ');
  while (!response.destroyed) if (!response.write('x'.repeat(64 * 1024))) await drained(response);
}

async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

/** A frame that ends in the middle of its JSON. */
function brokenOff(frame: string): string {
  return `${frame.slice(0, frame.indexOf('{') + '{"type'.length)}\n\n`;
}

/** The bytes with an invalid UTF-8 sequence in place of the first `é`. */
function spoilt(text: Buffer): Buffer {
  const at = text.indexOf('é');
  return at < 0 ? text : Buffer.concat([text.subarray(0, at), Buffer.from([0xc3, 0x28]), text.subarray(at + 2)]);
}
