"""The commands of the language server (`workspace/executeCommand`): one file for each."""
