/** Whether two paths of a graph name the same, or one names a folder that the other lies in. */
export function pathsMeet(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
