/** One line of llms.txt: a page, and what it answers. */
export interface Listed {
  line: string;
  name: string;
  page: string;
  answer: string;
}

export interface Section {
  title: string;
  pages: Listed[];
}

/** The sections of llms.txt (https://llmstxt.org): the site's menu, in this order. */
export function sectionsOf(llms: string): Section[] {
  const [, ...sections] = llms.split(/^## /m);
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return { title, pages: lines.filter((line) => line.startsWith('- ')).map(listedIn) };
  });
}

function listedIn(line: string): Listed {
  const [, name = '', page = '', answer = ''] = /^- \[(.+?)\]\((.+?)\): (.+)$/.exec(line) ?? [];
  return { line, name, page, answer };
}
