import { ANY_CATEGORY, COST_CATEGORIES, isGrant } from '../../plan/brief/category';
import type { Located, Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';

/** The categories that exist, each once; others are reported. @param whose in words: `the brief authorises` */
export function knownCategories(written: readonly Located<string>[], whose: string, report: Report): string[] {
  const known = written.filter(({ value, at }) => {
    if (isGrant(value)) return true;
    report('brief.unknown-category', at, `${whose} "${value}", which is no category`, () => hintFor(value));
    return false;
  });
  return [...new Set(known.map(({ value }) => value))];
}

function hintFor(value: string): string | undefined {
  if (/[,;]/.test(value)) return `write a list: [${value.split(/\s*[,;]\s*/).join(', ')}]`;
  if (value.startsWith('mcp_tool')) return 'write `mcp_tool:SERVER`, `mcp_tool:SERVER:TOOL`, `mcp_tool:SERVER:*` or `mcp_tool:*`';
  const all = `known: ${[...COST_CATEGORIES, 'mcp_tool:SERVER', ANY_CATEGORY].join(', ')}`;
  return didYouMean(value, COST_CATEGORIES, all);
}
