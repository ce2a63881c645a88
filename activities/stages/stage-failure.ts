import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { jsonIn } from '../../plan/text/json-text';
import type { StageCall } from './stage-call';

/** `stage.failed`, its message beginning with the stage's name. */
export function stageFailed(call: StageCall, message: string, details?: Json): ThermidorFailure {
  const text = message.startsWith(call.calledAs) ? message : `${call.calledAs}: ${message}`;
  return new ThermidorFailure('stage.failed', text, details);
}

export function outputTooLarge(call: StageCall, limitBytes: number): ThermidorFailure {
  return new ThermidorFailure('output.too-large', `${call.calledAs} produced more than ${limitBytes} bytes`, { limitBytes });
}

/** Parses the JSON of a flag; `what` names the expected form. */
export function parseFlag(call: StageCall, text: string, what: string): Json {
  const value = jsonIn(text);
  if (value === undefined) throw stageFailed(call, what);
  return value;
}
