//! seqlint in Zed: where its server is found, and what it is told of the settings.

use zed_extension_api::{
    self as zed, serde_json::Value, settings::LspSettings, Command, LanguageServerId, Result, Worktree,
};

struct Seqlint;

impl zed::Extension for Seqlint {
    fn new() -> Self {
        Seqlint
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let set = LspSettings::for_worktree(id.as_ref(), worktree)?.binary;
        let command = set
            .and_then(|binary| binary.path)
            .or_else(|| worktree.which("seqlint"))
            .ok_or("seqlint is not on the search path: pip install \"seqlint[server]\"")?;
        Ok(Command {
            command,
            args: vec!["server".into()],
            env: worktree.shell_env(),
        })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.initialization_options)
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.settings)
    }
}

zed::register_extension!(Seqlint);
