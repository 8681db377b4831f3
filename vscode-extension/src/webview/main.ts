/** The page of the panel: shows what the extension sends, and sends back what is clicked. */

import "uplot/dist/uPlot.min.css";
import "./panel.css";
import type { ToPage } from "../panel/messages";
import { showComparison, showJob } from "./job";
import { send } from "./page";
import { showPattern } from "./pattern";
import * as tabs from "./tabs";
import { showTree } from "./tree";

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
    case "tree":
      showTree(data.tree);
      break;
    case "tab":
      tabs.select(data.tab);
      break;
  }
});

tabs.listen();
send({ kind: "ready" });
