/** The files that a program's output names, each once, in order: paths from the folder that it ran in, with an ending. Of packages that are installed it says nothing. */
export function filesNamed(text: string): string[] {
  const found = new Set<string>();
  for (const [, path = ''] of text.matchAll(PATH)) if (!/(^|\/)node_modules\//.test(path)) found.add(path.replace(/^\.\//, ''));
  return [...found];
}

/** Not within an absolute path, a URL or another word: `src/a.ts`, or `a.ts:3` and `a.ts(3,1)`, followed by the line. */
const PATH =
  /(?<![\w./\\:@~-])((?:\.\/)?(?:[\w@-][\w.@-]*\/)+[\w.@-]*\.[A-Za-z]\w{0,5}(?![\w/\\])|[\w@-][\w.@-]*\.[A-Za-z]\w{0,5}(?=[:(]\d))/g;
