import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: own","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.codec.own.md","filePath":"reference/api/variables/svc-runtime.codec.own.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.codec.own.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-own" tabindex="-1">Variable: own <a class="header-anchor" href="#variable-own" aria-label="Permalink to &quot;Variable: own&quot;">​</a></h1><blockquote><p><code>const</code> <strong>own</strong>: (<code>from</code>, <code>name</code>) =&gt; <code>unknown</code></p></blockquote><p>Ignores what every object inherits.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>from</code></td><td><a href="./../types/svc-runtime.codec.JsonObject"><code>JsonObject</code></a></td></tr><tr><td><code>name</code></td><td><code>string</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>unknown</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.codec.own.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_own = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_own as default
};
