/** The name under which a document is known in the editor. */

export function nameOf(uri: string): string {
  return decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));
}
