import { payloadRef } from '../../plan/agents/envelope';
import { clarifyingQuestion } from '../../plan/agents/reply-fault';
import { asJson } from '../../records/stored-json';
import type { ToolEffect } from '../../records/transcripts/transcript-log';
import type { AttemptScope } from './agent-session';
import { messageEvent } from './journal-events';
import { type InvalidReply, missingFieldsOf } from './reply';

/** Who asks whom, and the name of the output that was asked for. */
export interface RepairParties {
  agent: string;
  asker: string;
  outputName: string;
}

/** A reply that cannot be used is kept, and asked about in an envelope of its own (protocol.md point 5). */
export async function repairNote(
  scope: AttemptScope,
  { agent, asker, outputName }: RepairParties,
  refused: InvalidReply,
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
  return { journal: [messageEvent(scope, { from: asker, to: agent, intent: 'request_clarification', payload, expect_response: true })] };
}
