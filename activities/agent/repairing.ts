import { payloadRef } from '../../plan/envelope';
import { clarifyingQuestion } from '../../plan/fault';
import { asJson } from '../../records/stored-json';
import type { ToolEffect } from '../../records/transcripts/transcript-log';
import { message } from './happened';
import { type BadReply, missingFieldsOf } from './reply';
import type { TryScope } from './seat';

/** A reply that cannot be used is kept, and asked about in an envelope of its own (protocol.md point 5). */
export async function repairing(
  scope: TryScope,
  { agent, asker, outputName }: { agent: string; asker: string; outputName: string },
  refused: BadReply,
  raw: string,
): Promise<ToolEffect> {
  const text = scope.secrets.mask(raw);
  const previous = await scope.toolbox.artifacts.put(text, { mediaType: 'text/plain', name: `${outputName}.refused.txt` });
  const payload = asJson({
    previous_report: payloadRef(previous),
    missing_fields: missingFieldsOf(refused),
    faults: refused.faults,
    question: clarifyingQuestion(refused.faults),
  });
  return { journal: [message(scope, { from: asker, to: agent, intent: 'request_clarification', payload, expect_response: true })] };
}
