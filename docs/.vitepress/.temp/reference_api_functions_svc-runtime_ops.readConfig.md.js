import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: readConfig()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime_ops.readConfig.md","filePath":"reference/api/functions/svc-runtime_ops.readConfig.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime_ops.readConfig.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-readconfig" tabindex="-1">Function: readConfig() <a class="header-anchor" href="#function-readconfig" aria-label="Permalink to &quot;Function: readConfig()&quot;">​</a></h1><blockquote><p><strong>readConfig</strong>(<code>env?</code>): <a href="./../interfaces/svc-runtime_ops.Config"><code>Config</code></a></p></blockquote><p>Reads the environment; reports all bad values at once.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>env?</code></td><td><code>Readonly</code>&lt;<code>Record</code>&lt;<code>string</code>, <code>string</code> | <code>undefined</code>&gt;&gt;</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="./../interfaces/svc-runtime_ops.Config"><code>Config</code></a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime_ops.readConfig.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_ops_readConfig = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_ops_readConfig as default
};
