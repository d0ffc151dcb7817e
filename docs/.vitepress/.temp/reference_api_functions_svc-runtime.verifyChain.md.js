import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: verifyChain()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.verifyChain.md","filePath":"reference/api/functions/svc-runtime.verifyChain.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.verifyChain.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-verifychain" tabindex="-1">Function: verifyChain() <a class="header-anchor" href="#function-verifychain" aria-label="Permalink to &quot;Function: verifyChain()&quot;">​</a></h1><blockquote><p><strong>verifyChain</strong>(<code>database</code>, <code>options?</code>): <code>Promise</code>&lt;<code>ChainReport</code>&gt;</p></blockquote><p>Recomputes the chain up to the current last record; records stored meanwhile are left to the next verification.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>database</code></td><td><code>Database</code></td></tr><tr><td><code>options?</code></td><td><code>VerifyOptions</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>Promise</code>&lt;<code>ChainReport</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.verifyChain.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_verifyChain = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_verifyChain as default
};
