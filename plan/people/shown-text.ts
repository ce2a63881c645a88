import { isJsonObject, type Json } from '../text/json';
import { jsonText, parseJson } from '../text/json-text';

/**
 * What a gate shows in addition to its question: from its document or its form, whichever a decision binds to (`GateView.shownSha256`).
 * Empty if there is only the question.
 */
export function shownText(content: string, question: string): string {
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
  try {
    const read = parseJson(content);
    return isJsonObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
