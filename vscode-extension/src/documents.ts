/** Any text can be a failing input: files on disk and documents not yet saved. */
export const DOCUMENTS = [{ scheme: "file" }, { scheme: "untitled" }];
