import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: receptor","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.receptor.md","filePath":"reference/api/variables/svc-runtime.receptor.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.receptor.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-receptor" tabindex="-1">Variable: receptor <a class="header-anchor" href="#variable-receptor" aria-label="Permalink to &quot;Variable: receptor&quot;">​</a></h1><blockquote><p><code>const</code> <strong>receptor</strong>: &lt;<code>TCommand</code>, <code>TResult</code>&gt;(<code>command</code>, <code>handler</code>, <code>resultName?</code>) =&gt; <code>ReceptorRegistration</code></p></blockquote><p>Registers the receptor of a command.</p><h2 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="__typetcommand"></a> <code>TCommand</code> <em>extends</em> <a href="./../classes/svc-runtime.Command"><code>Command</code></a></td></tr><tr><td><a id="__typetresult"></a> <code>TResult</code></td></tr></tbody></table><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>command</code></td><td><code>MessageClass</code>&lt;<code>TCommand</code>&gt;</td></tr><tr><td><code>handler</code></td><td><a href="./../interfaces/svc-runtime.Receptor"><code>Receptor</code></a>&lt;<code>TCommand</code>, <code>TResult</code>&gt;</td></tr><tr><td><code>resultName?</code></td><td><code>string</code></td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>ReceptorRegistration</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.receptor.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_receptor = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_receptor as default
};
