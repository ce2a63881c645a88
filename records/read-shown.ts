import { ThermidorFailure } from '../plan/run/failure';
import { isJsonObject, type Json } from '../plan/text/json';
import { jsonIn, jsonText } from '../plan/text/json-text';
import { openText } from '../plan/text/visible-text';
import type { ArtifactStore } from './artifact-store';

/** What a gate shows in addition to its question. Undefined if another host's store has it. Secrets were masked when it was rendered. */
export async function readShown(
  artifacts: Pick<ArtifactStore, 'get'>,
  { shownSha256, question }: { shownSha256: string; question: string },
): Promise<string | undefined> {
  try {
    const content = (await artifacts.get({ sha256: shownSha256 })).toString('utf8');
    return openText(shownText(content, question));
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'artifact.missing') return undefined;
    throw error;
  }
}

/**
 * What a gate shows in addition to its question: from its document or its form, whichever a decision binds to (`GateView.shownSha256`).
 * Empty if there is only the question.
 */
function shownText(content: string, question: string): string {
  const form = formIn(content);
  if (form) {
    const { preview, items, prompt } = form;
    const asked = typeof prompt === 'string' && prompt.trim() !== question ? [prompt.trim()] : [];
    const listed = Array.isArray(items) && items.length > 0 ? [jsonText(items, { step: '  ' })] : [];
    return [...asked, ...(typeof preview === 'string' ? [preview] : []), ...listed].join('\n\n');
  }
  const [, rest = ''] = /^# [^\n]*\n\n([\s\S]*)$/.exec(content) ?? [];
  const body = rest === '' ? content : rest;
  return (body.startsWith(question) ? body.slice(question.length) : body).trim();
}

function formIn(content: string): { [key: string]: Json } | undefined {
  if (!content.startsWith('{')) return undefined;
  const read = jsonIn(content);
  return isJsonObject(read) ? read : undefined;
}
