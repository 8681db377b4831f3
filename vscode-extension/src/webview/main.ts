/** The page of the panel: shows what the extension sends, and sends back what is clicked. */

import "./panel.css";
import type { ToPage } from "../panel/messages";
import { showComparison, showJob } from "./job";
import { light } from "./light";
import { send } from "./page";
import { showPattern } from "./pattern";
import * as tabs from "./tabs";

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  switch (data.kind) {
    case "job":
      showJob(data.job, data.comparison);
      break;
    case "comparison":
      showComparison(data.comparison);
      break;
    case "pattern":
      showPattern(data.pattern, data.choice);
      break;
    case "light":
      light(data.hole);
      break;
    case "tab":
      tabs.select(data.tab);
      break;
  }
});

tabs.listen();
send({ kind: "ready" });
