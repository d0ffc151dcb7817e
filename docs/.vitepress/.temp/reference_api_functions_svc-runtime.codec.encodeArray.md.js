import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: encodeArray()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.codec.encodeArray.md","filePath":"reference/api/functions/svc-runtime.codec.encodeArray.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.codec.encodeArray.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-encodearray" tabindex="-1">Function: encodeArray() <a class="header-anchor" href="#function-encodearray" aria-label="Permalink to &quot;Function: encodeArray()&quot;">​</a></h1><blockquote><p><strong>encodeArray</strong>&lt;<code>T</code>&gt;(<code>values</code>, <code>encode</code>): <code>string</code></p></blockquote><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="encodearrayt"></a> <code>T</code></td></tr></tbody></table><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>values</code></td><td>readonly <code>T</code>[]</td></tr><tr><td><code>encode</code></td><td><a href="./../types/svc-runtime.codec.Encode"><code>Encode</code></a>&lt;<code>T</code>&gt;</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>string</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.codec.encodeArray.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_encodeArray = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_encodeArray as default
};
